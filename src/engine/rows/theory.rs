//! Why the count is right: cores, quarters, weights, units.
//!
//! # Middle rows first
//!
//! Let k have the parity of N, and h = (N - k) / 2. The **core** is a placement of the queens of the k middle rows. It
//! leaves h rows above, the top, h rows below, the bottom, and 2h columns. A solution with this core puts the top's
//! queens on h of these columns, the set C, and the bottom's on the others:
//!
//! ```text
//!     N = 8, k = 2, h = 3            columns that the core leaves, halved: left | right
//!
//!     . . . Q . . . .    top         a queen of the top left quarter: row 0, column 3
//!     . Q . . . . . .                a queen of the top left quarter
//!     . . . . . . Q .                a queen of the top right quarter
//!     . . Q . . . . .    core
//!     . . . . . Q . .    core
//!     . . . . . . . Q    bottom      a queen of the bottom right quarter
//!     . . . . Q . . .                a queen of the bottom right quarter
//!     Q . . . . . . .                a queen of the bottom left quarter
//! ```
//!
//! The left h of the remaining columns and the right h of them divide top and bottom into four **quarters** of h rows
//! and h columns each. A square that a queen of the core attacks is closed. So
//!
//! ```text
//!     Q(N) = sum over cores, sum over C, of the number of pairs of a top on C and a bottom on the other columns that
//!            share no diagonal
//! ```
//!
//! Rows and columns cannot clash any more. Diagonals can, between any two of the four quarters, and a half-board is
//! worth the set of diagonals that it occupies: one bit for each that two different quarters could both occupy
//! ([`core::Core::relevant`]). A pair of half-boards is a solution if its words have no common bit. A half-board is
//! itself a pair of quarter-boards on complementary sets of rows whose words have no common bit.
//!
//! # Multiplicity of order four
//!
//! The left-right mirror and the top-bottom flip take cores to cores. Let a and b be the columns of two rows of the
//! core that the flip exchanges (the middle rows for even N, those beside the middle row for odd N). The images of (a,
//! b) are
//!
//! ```text
//!     itself (a, b)     mirror (N-1-a, N-1-b)     flip (b, a)     half-turn (N-1-b, N-1-a)
//! ```
//!
//! Every solution has as many images as these four pairs have different values, so it is enough to count the cores
//! whose (a, b) is the least of the four, each for as many as there are different ones: four, or two where a + b =
//! N - 1.
//!
//! With k = 1 the flip keeps the core. Then it acts on C, whose complement has the same count. With k = 0, and with
//! k = 1 and the queen in the centre, flip and mirror both act on C. A unit has one C of every orbit, for as many as
//! there are in it.
//!
//! # Multiplicity of order eight
//!
//! The transposition exchanges rows and columns. Let R say how far the queen of the middle row stands from the centre,
//! and S how far that of the middle column does; for even N, R and S are the larger distances of the queens of the two
//! middle rows and of the two middle columns. Mirror and flip keep R and S, and the transposition exchanges them. So as
//! many solutions have S > R as have S < R, and
//!
//! ```text
//!     Q(N) = sum over cores of weight(core) x ( 2 x number with S < R  +  number with S = R )
//! ```
//!
//! R is known from the core. S < R or S <= R is a condition on each queen of a middle column by itself: the squares of
//! the middle columns that are farther out are closed, and nothing of the sum is lost. For odd N, S = R only if one
//! queen is both: in the centre. For even N a half-board is **marked** if one of its queens stands in a middle column
//! at distance R exactly. A pair counts once if either half is marked (then S = R), and twice if none is. A queen of
//! the core itself in a middle column closes the whole core if she is farther out than R, and marks it as a whole at R.
//!
//! With k = 0 there is no R. There a queen on a main diagonal marks a half-board. A transposition keeps one main
//! diagonal and exchanges the halves of the other. So where a solution occupies both, the two queens stand in one half
//! of the board for four of its images and in different halves for the other four: the first count twice, the others
//! nothing. Solutions that occupy one or none count once ([`core::Core::weights`] has the table). Small boards do
//! without: see [`core::weighs_main_diagonals`].
//!
//! # Six queens
//!
//! N = 6, k = 2. Two of the four solutions, with the queens of the core as `X` and the middle columns marked below:
//!
//! ```text
//!     . . . . Q .     (a, b) = (0, 5)        . . Q . . .     (a, b) = (1, 4)
//!     . . Q . . .     images (5, 0), (5, 0),   . . . . . Q     images (4, 1), (4, 1),
//!     X . . . . .     (0, 5): two differ,    . X . . . .     (1, 4): two differ,
//!     . . . . . X     so the weight is 2     . . . . X .     so the weight is 2
//!     . . . Q . .     R = 5/2                Q . . . . .     R = 3/2
//!     . Q . . . .     S = 3/2 < R            . . . Q . .     S = 5/2 > R
//!         ^ ^                                    ^ ^
//! ```
//!
//! The left one counts 2 x 2 = 4, the right one nothing: it is what the transposition makes of the left one. All other
//! cores have no solution with S <= R, so Q(6) = 4. (A test computes it.)
//!
//! # Units
//!
//! C is given by two sets of the same size: `a`, the left columns of the top, and `d`, the right columns of the bottom.
//! Their size is the **tier**. Subsets are numbered in the order of their masks, and a unit is a **tile**: up to 16
//! consecutive numbers of `a` and as many of `d` (4 where a column set lasts longest, 32 where quarter-boards do). A
//! quarter-board serves a whole row or column of a tile, because its columns depend on `a` alone or on `d` alone. A
//! **part** of a unit is one column set: what backtracking can count of a large board in seconds.
//!
//! The mirror takes (a, d) to (not d, not a), the flip to (not a, not d), the half-turn to (d, a). Complements reverse
//! the numbers of subsets. So where both act, a <= d and (if a tier has half of the columns) a + d < number of subsets
//! single out one of each orbit.

pub mod core;
pub mod numbering;
pub mod recount;
pub mod subsets;
