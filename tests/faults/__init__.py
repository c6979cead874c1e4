"""What can go wrong round a run, played for real: a bad server, a full disk, a jumping clock, a dying process."""
