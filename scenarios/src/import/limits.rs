//! How much a reader spends on files that nobody vouches for.

/// The largest file that is read, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;
/// The deepest nesting of elements, lists or maps.
pub const DEEPEST: u32 = 64;
/// The most attributes of one XML element: a parser compares each with all others.
pub const MOST_ATTRIBUTES: u32 = 64;
/// The most nodes of one document, aliases expanded.
pub const MOST_NODES: u32 = 2_000_000;
/// The most files of a folder that are looked at.
pub const MOST_FILES: usize = 10_000;
/// The most issues of a domain.
pub const MOST_ISSUES: usize = 1_000;
/// The most values of all issues together.
pub const MOST_VALUES: u64 = 1_000_000;
/// The most constraints of a non-linear profile and their bounds together: each outcome is compared with all of them.
pub const MOST_CONSTRAINTS: usize = 20_000;
/// The most characters of a name of an issue or a value.
pub const LONGEST_NAME: usize = 1_000;
