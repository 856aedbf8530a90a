"""The rules-neutral game machine: state, frames, decisions, draws, events, replay, snapshots."""
