"""Programs and tests as modules: what they find there, how they run, how their failures are told."""
