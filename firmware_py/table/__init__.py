"""The table unit: panel intents, presenter, outbox, and the loop that joins them."""
