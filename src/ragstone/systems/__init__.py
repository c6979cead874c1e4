"""Systems under test and judges' models; they know no contract."""
