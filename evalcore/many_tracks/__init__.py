"""Many tracks: one question asked of each, and whether what one of them shows holds on the others."""
