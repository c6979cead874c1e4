"""What all packages share: types, interfaces, errors, settings, registry, messages. Imports only `text`."""
