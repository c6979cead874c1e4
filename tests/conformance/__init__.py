"""What every contract and every system must hold to, the examples for plug-in authors included."""
