"""Programs and tests as modules: what they can import, how they run, how their failures are reported."""
