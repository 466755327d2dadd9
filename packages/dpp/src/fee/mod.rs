//! Prices and distributions as pure arithmetic (fees and epochs).
