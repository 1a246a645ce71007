//! Gradient steps by themselves, for benchmarks and for comparing devices.

use super::adam::AdamState;
use super::backend::{Device, DeviceError, OnBackend};
use super::dqn::{Dqn, DqnConfig, DqnMemory};
use super::game::Trajectory;
use super::network::Shape;
use super::plain::PlainNetwork;
use super::replay::Replay;
use burn_tensor::backend::AutodiffBackend;
use zopa_envs::StreamKey;

/// A DQN that does nothing but gradient steps on transitions drawn at random.
pub struct GradientSteps {
    step: Box<dyn FnMut() -> f32>,
}

impl GradientSteps {
    /// Steps of a network of `shape` on minibatches of `batch` transitions, on `device`. The same numbers are drawn on each.
    ///
    /// # Errors
    /// Where the device cannot be used.
    pub fn new(shape: &Shape, batch: usize, device: Device) -> Result<Self, DeviceError> {
        device.with(Start { shape, batch })
    }

    /// One step: targets by both networks, the loss, its gradient and Adam. The answer is the loss.
    pub fn step(&mut self) -> f32 {
        (self.step)()
    }
}

struct Start<'a> {
    shape: &'a Shape,
    batch: usize,
}

impl OnBackend for Start<'_> {
    type Output = GradientSteps;

    fn run<B: AutodiffBackend>(self, device: &B::Device) -> GradientSteps {
        let Self { shape, batch } = self;
        let key = StreamKey::new("gradient steps", &[]);
        let mut stream = key.stream(0);
        let steps = 4 * batch;
        let mut replay = Replay::new(steps, shape.inputs, shape.actions, 0.6);
        let trajectory = Trajectory {
            observations: (0..steps * shape.inputs).map(|_| stream.normal() as f32).collect(),
            masks: vec![true; steps * shape.actions],
            actions: (0..steps).map(|_| stream.below(shape.actions as u64) as u16).collect(),
            rewards: (0..steps).map(|_| stream.normal() as f32).collect(),
            ..Trajectory::default()
        };
        replay.take(&trajectory, 3, 0.99);
        let network = PlainNetwork::orthogonal(shape, 1.0, &mut stream);
        let config = DqnConfig { minibatch: batch, memory: steps, ..DqnConfig::default() };
        let state = AdamState::new(&network);
        let memory = DqnMemory { target: state.parameters.clone(), due: 0.0, replay };
        let mut dqn = Dqn::<B>::new(&config, shape, &state, Some(memory), &key, 0, device);
        let mut sums = [0.0; 3];
        let mut drawing = key.stream(1);
        GradientSteps {
            step: Box::new(move || {
                let before = sums[0];
                dqn.draw_and_step(&mut drawing, &mut sums);
                (sums[0] - before) as f32
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_bring_the_loss_down() {
        let shape = Shape { inputs: 6, hidden: vec![16], actions: 3 };
        let mut steps = GradientSteps::new(&shape, 64, Device::Cpu).unwrap();
        let mut mean = |count: usize| (0..count).map(|_| steps.step()).sum::<f32>() / count as f32;
        let first = mean(20);
        mean(400);
        assert!(mean(20) < 0.95 * first);
    }
}
