//! zopa-reports
