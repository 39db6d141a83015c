"""The six point estimates inside an interval (METHODS 5; [RM10]; [LMC17, eq. 4]), from (B, T, r_max) of one query.

D = (T - B) / r_max everywhere: the share of the metric's weight that is not known; hence E is a gain, in [0, r_max].
Each estimate is clipped to [B, T] at the end. D = 1 means: within 1e-12 of it.
"""


def unknown_share(B, T, r_max=1.0):
    """D of the formulas: METHODS 5."""
    return (T - B) / r_max


def clip(X, B, T):
    """METHODS 5: B <= X <= T."""
    return min(max(X, B), T)


def lower(B, T, r_max=1.0):
    """X = B."""
    return B


def upper(B, T, r_max=1.0):
    """X = T."""
    return T


def background(B, T, r_max=1.0, *, E=0.05):
    """X = B + D*E."""
    return clip(B + unknown_share(B, T, r_max) * E, B, T)


def interpolated(B, T, r_max=1.0, *, C=0.42, E=0.01):
    """X = B + C*D*B/(1-D); when D = 1, X = E."""
    D = unknown_share(B, T, r_max)
    return clip(B + C * D * B / (1 - D) if 1 - D > 1e-12 else E, B, T)


def smoothed(B, T, r_max=1.0, *, C=0.91, E=0.05):
    """X = B + C*D*B + D^2*E."""
    D = unknown_share(B, T, r_max)
    return clip(B + C * D * B + D**2 * E, B, T)


def rm(B, T, r_max=1.0):
    """X = B/(1-D) (LMC17 eq. 4). "Interpolated with C = 1", hence its E = 0.01 when D = 1 (chosen here)."""
    D = unknown_share(B, T, r_max)
    return clip(B / (1 - D) if 1 - D > 1e-12 else 0.01, B, T)


ESTIMATES = {
    "lower": lower,
    "upper": upper,
    "background": background,
    "interpolated": interpolated,
    "smoothed": smoothed,
    "rm": rm,
}
