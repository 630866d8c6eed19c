// No tests here yet.
