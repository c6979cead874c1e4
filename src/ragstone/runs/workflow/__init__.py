"""Cases asked in steps: each step a prompt task, fed by the steps before it; a row a step and one from end to end."""
