"""Measures gateways beside their peers on one machine; `scripts/bench` builds what it needs and starts it."""
