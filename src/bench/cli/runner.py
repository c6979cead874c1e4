"""`python -m bench.cli.runner`: a prompt task or a workflow on one or several models; see `ragstone.runners.bench`."""

from ragstone.runners.bench import run

if __name__ == "__main__":
    run()
