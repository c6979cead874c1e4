"""How sure a figure is: intervals, tests and what a number of cases can tell; knows no run, no file and no report."""
