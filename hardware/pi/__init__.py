"""Drivers over gpiozero, spidev and mfrc522's register access."""
