//! Adam (Kingma and Ba 2015) over one row that holds all parameters, with the gradient's global norm clipped.
//!
//! burn's own optimisers clip each tensor by itself, and keep their state under random identifiers. One row makes the global
//! norm (Pascanu et al. 2013) the norm of a vector, a step a handful of operations, and a checkpoint three vectors.

use super::network::{Network, Shape, numbers};
use super::plain::PlainNetwork;
use burn_tensor::backend::AutodiffBackend;
use burn_tensor::{Tensor, TensorData};

/// Decay of the gradient's mean (Kingma and Ba 2015).
const FIRST_DECAY: f64 = 0.9;
/// Decay of the squared gradient's mean (Kingma and Ba 2015).
const SECOND_DECAY: f64 = 0.999;

/// What an optimiser remembers, as plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamState {
    /// `[parameters]`
    pub parameters: Vec<f32>,
    /// `[parameters]`: the gradient's running mean.
    pub first: Vec<f32>,
    /// `[parameters]`: the squared gradient's running mean.
    pub second: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

impl AdamState {
    /// The state before the first step.
    #[must_use]
    pub fn new(network: &PlainNetwork) -> Self {
        let parameters = network.flat();
        let zeros = vec![0.0; parameters.len()];
        Self { parameters, first: zeros.clone(), second: zeros, steps: 0 }
    }
}

/// The parameters that are learned and the optimiser's memory of their gradients.
pub(super) struct Adam<B: AutodiffBackend> {
    shape: Shape,
    row: Tensor<B::InnerBackend, 1>,
    first: Tensor<B::InnerBackend, 1>,
    second: Tensor<B::InnerBackend, 1>,
    steps: u64,
    epsilon: f64,
    most_norm: f64,
    device: B::Device,
}

impl<B: AutodiffBackend> Adam<B> {
    /// An optimiser that goes on from `state`. `most_norm` is the longest gradient that is not shortened.
    pub(super) fn new(shape: &Shape, state: &AdamState, epsilon: f64, most_norm: f64, device: &B::Device) -> Self {
        let row = |numbers: &[f32]| Tensor::from_data(TensorData::new(numbers.to_vec(), [numbers.len()]), device);
        Self {
            shape: shape.clone(),
            row: row(&state.parameters),
            first: row(&state.first),
            second: row(&state.second),
            steps: state.steps,
            epsilon,
            most_norm,
            device: device.clone(),
        }
    }

    /// What to go on from.
    pub(super) fn state(&self) -> AdamState {
        AdamState {
            parameters: numbers(self.row.clone()),
            first: numbers(self.first.clone()),
            second: numbers(self.second.clone()),
            steps: self.steps,
        }
    }

    /// Steps made so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn device(&self) -> &B::Device {
        &self.device
    }

    /// The network as it is now, followed by automatic differentiation.
    pub(super) fn network(&self) -> Network<B> {
        Network::cut(&self.shape, |offset, dims| {
            let view = self.row.clone().narrow(0, offset, dims[0] * dims[1]).reshape(dims);
            Tensor::from_inner(view).require_grad()
        })
    }

    /// The network as it is now, for use without gradients.
    pub(super) fn still(&self) -> Network<B::InnerBackend> {
        Network::of_row(&self.shape, &self.row)
    }

    /// The network as it is now, for actors.
    pub(super) fn plain(&self) -> PlainNetwork {
        PlainNetwork::from_flat(&self.shape, &numbers(self.row.clone())).expect("the row was made for this shape")
    }

    /// One step down the gradient of `loss`, `[1]`, which was computed from `network`.
    pub(super) fn step(&mut self, network: &Network<B>, loss: &Tensor<B, 1>, learning_rate: f64) {
        let mut gradients = loss.backward();
        let parts: Vec<Tensor<B::InnerBackend, 1>> = network
            .parameters()
            .map(|parameter| {
                let [rows, columns] = parameter.dims();
                match parameter.grad_remove(&mut gradients) {
                    Some(gradient) => gradient.reshape([rows * columns]),
                    None => Tensor::zeros([rows * columns], &self.device),
                }
            })
            .collect();
        let gradient = Tensor::cat(parts, 0);
        let norm = gradient.clone().square().sum().sqrt();
        let gradient = gradient * (norm.add_scalar(1e-6).recip() * self.most_norm).clamp_max(1.0);

        self.steps += 1;
        let decayed = |decay: f64| 1.0 - libm::pow(decay, self.steps as f64);
        let take =
            |tensor: &mut Tensor<B::InnerBackend, 1>| std::mem::replace(tensor, Tensor::empty([0], &self.device));
        self.first = take(&mut self.first) * FIRST_DECAY + gradient.clone() * (1.0 - FIRST_DECAY);
        self.second = take(&mut self.second) * SECOND_DECAY + gradient.square() * (1.0 - SECOND_DECAY);
        let deviation = self.second.clone().sqrt() / libm::sqrt(decayed(SECOND_DECAY)) + self.epsilon;
        let step = self.first.clone() / deviation * (learning_rate / decayed(FIRST_DECAY));
        self.row = take(&mut self.row) - step;
    }
}

#[cfg(test)]
mod tests {
    use super::super::backend::Cpu;
    use super::super::network::matrix;
    use super::*;

    /// A network of two parameters that matter: one input, one action; the loss is linear in them.
    fn after_one_step(scale: f32, most_norm: f64) -> Vec<f32> {
        let shape = Shape { inputs: 1, hidden: Vec::new(), actions: 1 };
        let plain = PlainNetwork::from_flat(&shape, &[0.5, 0.0, 0.0, 0.0]).unwrap();
        let mut adam = Adam::<Cpu>::new(&shape, &AdamState::new(&plain), 1.0, most_norm, &Default::default());
        let network = adam.network();
        let (advantages, _) = network.forward(matrix(vec![3.0], 1, &Default::default()));
        adam.step(&network, &(advantages.sum() * scale), 1.0);
        adam.state().parameters
    }

    #[test]
    fn one_step_is_that_of_the_formula() {
        // Gradients 3 and 1, means corrected to themselves, so each moves by g / (|g| + epsilon).
        let moved = after_one_step(1.0, 100.0);
        assert!((moved[0] - (0.5 - 0.75)).abs() < 1e-6 && (moved[1] + 0.5).abs() < 1e-6, "{moved:?}");
        assert_eq!(moved[2..], [0.0, 0.0]);
    }

    #[test]
    fn the_norm_is_clipped_over_all_parameters_together() {
        // (3, 1) * 10 shortened to length 0.1 keeps its direction: 0.09487 and 0.03162.
        let moved = after_one_step(10.0, 0.1);
        let expected = [0.5 - 0.094868 / 1.094868, -0.031623 / 1.031623];
        assert!((moved[0] - expected[0]).abs() < 1e-5 && (moved[1] - expected[1]).abs() < 1e-5, "{moved:?}");
    }
}
