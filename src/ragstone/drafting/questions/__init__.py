"""Questions from sentences, lists and tables, a file a language; knows no corpus but the one document."""
