"""The life of a run: plan, ask, schedule, store, finish, split and merge."""
