"""A gate for build servers: GitHub annotations and JUnit XML."""
