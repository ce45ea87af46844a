//! mixtape 0.5: one payload per result.
