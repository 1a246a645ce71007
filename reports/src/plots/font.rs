use std::sync::Once;

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

/// Family under which the compiled-in font is registered; an SVG viewer falls back on its own.
pub(super) const FAMILY: &str = "sans-serif";
/// plotters' size of the bitmap font for an em of one: the compiled-in face is that much higher than its em.
pub(super) const BITMAP_SIZE: f64 = 1.121;
/// A viewer's sans-serif face may be wider than the compiled-in one, which text is measured with, by this much.
const VIEWER_ALLOWANCE: f64 = 1.1;

/// Registers the compiled-in font with plotters, once.
pub(super) fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
        assert!(registered.is_ok(), "the compiled-in font is a valid TrueType file");
    });
}

/// Width in pixels that a line of text may take on any medium, at an em of `em` pixels.
pub(super) fn text_width(text: &str, em: f64) -> f64 {
    register();
    // Measured large, because plotters rounds to whole pixels.
    const MEASURE: f64 = 1_000.0;
    let font = FontDesc::new(FontFamily::Name(FAMILY), MEASURE * BITMAP_SIZE, FontStyle::Normal);
    let (width, _) = font.box_size(text).expect("the font is registered");
    f64::from(width) / MEASURE * em * VIEWER_ALLOWANCE
}

/// `text`, or its two ends around an ellipsis where it is wider than `width` pixels at an em of `em` pixels. Both ends
/// stay, because names of agents often differ in their last characters only.
pub(super) fn shortened(text: &str, em: f64, width: f64) -> String {
    if text_width(text, em) <= width {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    let with_kept = |kept: usize| {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let mut short: String = characters[..head].iter().collect();
        short.push('\u{2026}');
        short.extend(&characters[characters.len() - tail..]);
        short
    };
    (0..characters.len()).rev().map(with_kept).find(|short| text_width(short, em) <= width).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_fits_stays_and_a_long_one_keeps_both_ends() {
        assert_eq!(shortened("rule-tree", 13.0, 200.0), "rule-tree");
        let name = "prompted:some-organisation/some-model-instruct-2507@temperature=0.7";
        let short = shortened(name, 13.0, 200.0);
        assert!(short.starts_with("prompted:") && short.ends_with("=0.7") && short.contains('\u{2026}'), "{short}");
        assert!(text_width(&short, 13.0) <= 200.0);
    }
}
