"""Keys, lamps, knob, buzzer and card reader: ports, Pi drivers, chip-level simulators."""
