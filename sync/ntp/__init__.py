"""NTPv4 packets, authentication, server and client (RFC 5905, RFC 8573)."""
