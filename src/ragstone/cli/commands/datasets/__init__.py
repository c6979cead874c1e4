"""Commands about datasets: check them, draft them, draw a small one."""
