"""What judging came to, for people: certificates, and who decided what of a case."""
