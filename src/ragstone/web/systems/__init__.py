"""Systems that were entered on the page: services by their address, recorded answers; and one question to try them."""
