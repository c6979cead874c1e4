"""The cases of a stored run as the page shows them."""
