"""Words shared by all: types, interfaces, errors, settings, registry, messages. Knows no other package but text."""
