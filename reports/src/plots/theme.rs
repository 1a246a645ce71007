use plotters::style::RGBColor;

use super::drawing::Colour;

/// The colours that a drawing's roles stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white, for files, light pages and print.
    Light,
    /// Light ink on near-black, for dark pages.
    Dark,
}

/// Okabe and Ito's palette, which people with any common colour blindness can tell apart, without its black and with
/// its yellow last, since it is faint on white.
const SERIES_ON_LIGHT: [u32; 7] = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xe69f00, 0xc4b000];
const SERIES_ON_DARK: [u32; 7] = [0x56b4e9, 0xff8c42, 0x2fc79a, 0xe79cc6, 0x9ad1f2, 0xf2b134, 0xf0e442];

impl Theme {
    /// Number of series colours before they repeat.
    pub const SERIES: usize = SERIES_ON_LIGHT.len();

    pub(super) fn colour(self, role: Colour) -> RGBColor {
        let hex = match (self, role) {
            (Self::Light, Colour::Background) => 0xffffff,
            (Self::Light, Colour::Ink) => 0x1c2530,
            (Self::Light, Colour::Muted) => 0x5b6673,
            (Self::Light, Colour::Grid) => 0xe3e7ec,
            (Self::Light, Colour::Band) => 0xf6f8fa,
            (Self::Light, Colour::Series(index)) => SERIES_ON_LIGHT[index % Self::SERIES],
            (Self::Dark, Colour::Background) => 0x14181d,
            (Self::Dark, Colour::Ink) => 0xe8ecf1,
            (Self::Dark, Colour::Muted) => 0x9aa5b1,
            (Self::Dark, Colour::Grid) => 0x2c343d,
            (Self::Dark, Colour::Band) => 0x1a1f26,
            (Self::Dark, Colour::Series(index)) => SERIES_ON_DARK[index % Self::SERIES],
        };
        let [_, red, green, blue] = u32::to_be_bytes(hex);
        RGBColor(red, green, blue)
    }
}
