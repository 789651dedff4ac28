"""What the product decides and runs: rules, table unit, master, journal, programs."""
