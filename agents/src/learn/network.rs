//! The network that both algorithms learn: hidden layers with rectifiers, then two heads.
//!
//! PPO reads the heads as logits and value, DQN as the advantages and the value of a duelling network, so that a policy head can
//! start a DQN.

use super::plain::{PlainDense, PlainNetwork};
use burn_tensor::backend::Backend;
use burn_tensor::{Tensor, TensorData};
use serde::{Deserialize, Serialize};
use zopa_envs::Stream;

/// How large a network is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Numbers an observation.
    pub inputs: usize,
    /// Width of each hidden layer.
    pub hidden: Vec<usize>,
    /// Choices.
    pub actions: usize,
}

impl Shape {
    /// `[inputs, outputs]` of each layer: the hidden ones, the advantage head, the value head.
    fn layers(&self) -> Vec<[usize; 2]> {
        let mut inputs = self.inputs;
        let mut layers = Vec::with_capacity(self.hidden.len() + 2);
        for &width in &self.hidden {
            layers.push([inputs, width]);
            inputs = width;
        }
        layers.push([inputs, self.actions]);
        layers.push([inputs, 1]);
        layers
    }

    /// How many parameters the network has.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.layers().iter().map(|[inputs, outputs]| (inputs + 1) * outputs).sum()
    }
}

impl PlainNetwork {
    /// Orthogonal weights (Saxe et al. 2014) with gain sqrt(2) in hidden layers and 1 at the value head, biases 0, as in CleanRL's
    /// PPO. `head` is the gain of the advantage head: 0.01 lets a policy start near uniform (Andrychowicz et al. 2021).
    #[must_use]
    pub fn orthogonal(shape: &Shape, head: f64, stream: &mut Stream) -> Self {
        let layers = shape.layers();
        let last = layers.len() - 1;
        let mut made = layers.iter().enumerate().map(|(position, &[inputs, outputs])| {
            let gain = match last - position {
                0 => 1.0,
                1 => head,
                _ => std::f64::consts::SQRT_2,
            };
            PlainDense { weight: orthogonal(inputs, outputs, gain, stream), bias: vec![0.0; outputs] }
        });
        let hidden = made.by_ref().take(last - 1).collect();
        let mut head = || made.next().expect("a shape has two heads");
        let advantage = head();
        Self { hidden, advantage, value: head() }
    }

    /// All parameters in one row: each layer's weight, then its bias.
    #[must_use]
    pub fn flat(&self) -> Vec<f32> {
        let layers = self.hidden.iter().chain([&self.advantage, &self.value]);
        layers.flat_map(|layer| layer.weight.iter().chain(&layer.bias).copied()).collect()
    }

    /// The network of `shape` whose parameters are `flat`, as [`Self::flat`] orders them. `None` where their number differs.
    #[must_use]
    pub fn from_flat(shape: &Shape, flat: &[f32]) -> Option<Self> {
        if flat.len() != shape.parameters() {
            return None;
        }
        let mut rest = flat;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at(count);
            rest = left;
            taken.to_vec()
        };
        let mut layers: Vec<PlainDense> = shape
            .layers()
            .into_iter()
            .map(|[inputs, outputs]| PlainDense { weight: take(inputs * outputs), bias: take(outputs) })
            .collect();
        let (value, advantage) = (layers.pop()?, layers.pop()?);
        Some(Self { hidden: layers, advantage, value })
    }
}

/// A matrix `[inputs, outputs]` whose rows, or columns where there are fewer of them, are orthogonal and have length `gain`:
/// Gram and Schmidt's procedure over normal draws, twice, since once loses digits.
fn orthogonal(inputs: usize, outputs: usize, gain: f64, stream: &mut Stream) -> Vec<f32> {
    let (count, length) = (inputs.min(outputs), inputs.max(outputs));
    let mut vectors: Vec<Vec<f64>> = Vec::with_capacity(count);
    while vectors.len() < count {
        let mut vector: Vec<f64> = (0..length).map(|_| stream.normal()).collect();
        for _ in 0..2 {
            for other in &vectors {
                let along: f64 = vector.iter().zip(other).map(|(a, b)| a * b).sum();
                vector.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
            }
        }
        let norm = libm::sqrt(vector.iter().map(|a| a * a).sum());
        vector.iter_mut().for_each(|a| *a /= norm);
        vectors.push(vector);
    }
    let mut weight = vec![0.0; inputs * outputs];
    for (position, vector) in vectors.iter().enumerate() {
        for (place, &entry) in vector.iter().enumerate() {
            let (row, column) = if inputs <= outputs { (position, place) } else { (place, position) };
            weight[row * outputs + column] = (gain * entry) as f32;
        }
    }
    weight
}

/// One layer as tensors: `out = in * weight + bias`.
#[derive(Clone, Debug)]
struct Dense<B: Backend> {
    /// `[inputs, outputs]`
    weight: Tensor<B, 2>,
    /// `[1, outputs]`
    bias: Tensor<B, 2>,
}

impl<B: Backend> Dense<B> {
    fn forward(&self, input: Tensor<B, 2>) -> Tensor<B, 2> {
        input.matmul(self.weight.clone()) + self.bias.clone()
    }
}

/// The network as tensors: views into one row of parameters.
#[derive(Clone, Debug)]
pub(super) struct Network<B: Backend> {
    hidden: Vec<Dense<B>>,
    advantage: Dense<B>,
    value: Dense<B>,
}

impl<B: Backend> Network<B> {
    /// The network whose parameters are cut from a row by `cut(offset, [rows, columns])`.
    pub(super) fn cut(shape: &Shape, mut cut: impl FnMut(usize, [usize; 2]) -> Tensor<B, 2>) -> Self {
        let mut offset = 0;
        let mut layers: Vec<Dense<B>> = Vec::new();
        for [inputs, outputs] in shape.layers() {
            let weight = cut(offset, [inputs, outputs]);
            let bias = cut(offset + inputs * outputs, [1, outputs]);
            offset += (inputs + 1) * outputs;
            layers.push(Dense { weight, bias });
        }
        let value = layers.pop().expect("a shape has two heads");
        let advantage = layers.pop().expect("a shape has two heads");
        Self { hidden: layers, advantage, value }
    }

    /// The network as views of `row`, `[parameters]`.
    pub(super) fn of_row(shape: &Shape, row: &Tensor<B, 1>) -> Self {
        Self::cut(shape, |offset, dims| row.clone().narrow(0, offset, dims[0] * dims[1]).reshape(dims))
    }

    /// All parameters, in the order of the row.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &Tensor<B, 2>> {
        let layers = self.hidden.iter().chain([&self.advantage, &self.value]);
        layers.flat_map(|layer| [&layer.weight, &layer.bias])
    }

    /// Advantages (or logits) and values.
    ///
    /// # Shapes
    /// `observations`: `[batch, inputs]`; the answer: `[batch, actions]` and `[batch, 1]`.
    pub(super) fn forward(&self, observations: Tensor<B, 2>) -> (Tensor<B, 2>, Tensor<B, 2>) {
        let mut x = observations;
        for layer in &self.hidden {
            x = burn_tensor::activation::relu(layer.forward(x));
        }
        (self.advantage.forward(x.clone()), self.value.forward(x))
    }

    /// Action values of a duelling network, `V + A - mean A` (Wang et al. 2016, equation 9).
    ///
    /// # Shapes
    /// `observations`: `[batch, inputs]`; the answer: `[batch, actions]`.
    pub(super) fn action_values(&self, observations: Tensor<B, 2>) -> Tensor<B, 2> {
        let (advantages, values) = self.forward(observations);
        let mean = advantages.clone().mean_dim(1);
        advantages + (values - mean)
    }
}

/// Rows of numbers as a tensor `[rows, columns]`.
pub(super) fn matrix<B: Backend>(numbers: Vec<f32>, rows: usize, device: &B::Device) -> Tensor<B, 2> {
    let columns = numbers.len() / rows.max(1);
    Tensor::from_data(TensorData::new(numbers, [rows, columns]), device)
}

/// All numbers of a tensor, row by row.
pub(super) fn numbers<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("the data were just converted to f32")
}

#[cfg(test)]
mod tests {
    use super::super::backend::Cpu;
    use super::super::plain::Scratch;
    use super::*;
    use burn_tensor::backend::AutodiffBackend;
    use zopa_envs::StreamKey;

    type Inner = <Cpu as AutodiffBackend>::InnerBackend;

    #[test]
    fn plain_and_burn_passes_agree_to_a_hundred_thousandth() {
        let mut stream = StreamKey::new("test", &[]).stream(0);
        for hidden in [vec![64, 64], vec![128, 128], vec![]] {
            let shape = Shape { inputs: 38, hidden, actions: 24 };
            let plain = PlainNetwork::orthogonal(&shape, 1.0, &mut stream);
            assert_eq!(plain.shape(), shape);
            let row = Tensor::<Inner, 1>::from_floats(plain.flat().as_slice(), &Default::default());
            let network = Network::of_row(&shape, &row);
            let observations: Vec<f32> = (0..50 * 38).map(|_| stream.normal() as f32).collect();
            let (advantages, values) = network.forward(matrix(observations.clone(), 50, &Default::default()));
            let action_values = numbers(network.action_values(matrix(observations.clone(), 50, &Default::default())));
            let (advantages, values) = (numbers(advantages), numbers(values));
            let mut scratch = Scratch::default();
            for (position, observation) in observations.chunks_exact(38).enumerate() {
                let mut own = vec![0.0; 24];
                let value = plain.forward(observation, &mut scratch, &mut own);
                let close = |a: f32, b: f32| assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} beside {b}");
                close(value, values[position]);
                own.iter().zip(&advantages[position * 24..]).for_each(|(&a, &b)| close(a, b));
                plain.action_values(observation, &mut scratch, &mut own);
                own.iter().zip(&action_values[position * 24..]).for_each(|(&a, &b)| close(a, b));
            }
        }
    }

    #[test]
    fn initial_weights_are_orthogonal_with_their_gain() {
        let mut stream = StreamKey::new("test", &[]).stream(1);
        for (inputs, outputs) in [(5, 3), (3, 5), (4, 4)] {
            let weight = orthogonal(inputs, outputs, 2.0, &mut stream);
            let entry = |vector: usize, place: usize| {
                let (row, column) = if inputs <= outputs { (vector, place) } else { (place, vector) };
                f64::from(weight[row * outputs + column])
            };
            for a in 0..inputs.min(outputs) {
                for b in 0..inputs.min(outputs) {
                    let product: f64 = (0..inputs.max(outputs)).map(|place| entry(a, place) * entry(b, place)).sum();
                    assert!((product - if a == b { 4.0 } else { 0.0 }).abs() < 1e-5, "{a} {b}: {product}");
                }
            }
        }
    }

    #[test]
    fn a_row_of_parameters_gives_the_same_network_back() {
        let shape = Shape { inputs: 4, hidden: vec![3], actions: 2 };
        let plain = PlainNetwork::orthogonal(&shape, 0.5, &mut StreamKey::new("test", &[]).stream(2));
        assert_eq!(PlainNetwork::from_flat(&shape, &plain.flat()), Some(plain.clone()));
        assert_eq!(PlainNetwork::from_flat(&shape, &plain.flat()[1..]), None);
    }
}
