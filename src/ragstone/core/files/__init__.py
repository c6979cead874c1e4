"""Files of the user's and of Ragstone's own, as far as nobody must know what is in them."""
