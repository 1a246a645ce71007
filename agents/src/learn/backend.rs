//! The only module that names a burn backend: a later burn version, or another device, is a change here.

use burn_autodiff::Autodiff;
use burn_flex::Flex;
use burn_tensor::backend::AutodiffBackend;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// Where gradients are computed. Actors always run on the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// burn's flex backend on one thread.
    #[default]
    Cpu,
    /// The first CUDA device; in builds with the feature `cuda`.
    Cuda,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
        })
    }
}

/// Why a device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// The build has no CUDA backend.
    #[error("this build has no CUDA backend: build with `--features cuda`, or train with --device cpu")]
    NotBuilt,
    /// The machine has no CUDA driver.
    #[error("no CUDA driver was found on this machine (libcuda cannot be loaded): train with --device cpu")]
    NoDriver,
    /// The driver finds no device.
    #[error("the CUDA driver reports no usable device ({0}): train with --device cpu")]
    NoDevice(String),
}

/// What to do once the backend is known.
pub(super) trait OnBackend {
    type Output;
    fn run<B: AutodiffBackend>(self, device: &B::Device) -> Self::Output;
}

/// The processor's backend, for everything that needs no choice.
pub(super) type Cpu = Autodiff<Flex>;

impl Device {
    /// Tests that the device can be used, without starting anything on it.
    ///
    /// # Errors
    /// Where it cannot.
    pub fn probe(self) -> Result<(), DeviceError> {
        match self {
            Self::Cpu => Ok(()),
            Self::Cuda => probe_cuda(),
        }
    }

    /// Does `what` on this device's backend.
    pub(super) fn with<W: OnBackend>(self, what: W) -> Result<W::Output, DeviceError> {
        self.probe()?;
        match self {
            Self::Cpu => Ok(what.run::<Cpu>(&Default::default())),
            Self::Cuda => on_cuda(what),
        }
    }
}

#[cfg(not(feature = "cuda"))]
fn probe_cuda() -> Result<(), DeviceError> {
    Err(DeviceError::NotBuilt)
}

#[cfg(not(feature = "cuda"))]
fn on_cuda<W: OnBackend>(_what: W) -> Result<W::Output, DeviceError> {
    Err(DeviceError::NotBuilt)
}

/// burn starts its device on a worker thread, where a missing library is a panic that nobody can catch: so it is looked for
/// first.
#[cfg(feature = "cuda")]
fn probe_cuda() -> Result<(), DeviceError> {
    #[expect(unsafe_code, reason = "loads the driver's library by name and looks at nothing in it")]
    let present = unsafe { cudarc::driver::sys::is_culib_present() };
    if !present {
        return Err(DeviceError::NoDriver);
    }
    cudarc::driver::result::init().map_err(|fault| DeviceError::NoDevice(fault.to_string()))?;
    match cudarc::driver::result::device::get_count() {
        Ok(count) if count > 0 => Ok(()),
        Ok(_) => Err(DeviceError::NoDevice("it counts none".to_owned())),
        Err(fault) => Err(DeviceError::NoDevice(fault.to_string())),
    }
}

#[cfg(feature = "cuda")]
fn on_cuda<W: OnBackend>(what: W) -> Result<W::Output, DeviceError> {
    Ok(what.run::<Autodiff<burn_cuda::Cuda<f32, i32>>>(&Default::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_cuda_is_told_so_and_nothing_panics() {
        assert_eq!(Device::Cpu.probe(), Ok(()));
        match Device::Cuda.probe() {
            Ok(()) => println!("skipped: this machine has a CUDA device"),
            Err(fault) => assert!(fault.to_string().ends_with("--device cpu"), "{fault}"),
        }
    }
}
