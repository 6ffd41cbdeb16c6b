"""What the supervisor keeps of its jobs: their box, processes, output, disk and outcome."""
