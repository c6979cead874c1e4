"""Contract 2, key points: does the answer state a key point, and does it name the right document?"""
