"""Engines that work on recorded answers: in this process, in others, or on a cluster. Know no contract and no run."""
