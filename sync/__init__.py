"""Time and links: timebase, NTP codec, follower, frames, replication, transports."""
