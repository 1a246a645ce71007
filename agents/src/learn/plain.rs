//! The forward pass that ships: no burn, one fixed order of summation, the same bits on every host.

use super::network::Shape;

/// One layer: `out = in * weight + bias`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainDense {
    /// `[inputs, outputs]`, row by row.
    pub weight: Vec<f32>,
    /// `[outputs]`.
    pub bias: Vec<f32>,
}

impl PlainDense {
    /// Every output starts at its bias and adds its inputs' products in the order of the inputs. The loop over outputs is the inner
    /// one, so a wider vector unit adds more outputs at once but never in another order.
    fn apply(&self, input: &[f32], output: &mut [f32]) {
        output.copy_from_slice(&self.bias);
        for (&x, row) in input.iter().zip(self.weight.chunks_exact(output.len())) {
            // Half of what a rectifier passes on is zero.
            if x != 0.0 {
                for (sum, &w) in output.iter_mut().zip(row) {
                    *sum += x * w;
                }
            }
        }
    }
}

/// A network as plain numbers: hidden layers with rectifiers, then two heads.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainNetwork {
    /// Hidden layers, from the observation on.
    pub hidden: Vec<PlainDense>,
    /// The policy's logits, or the duelling network's advantages.
    pub advantage: PlainDense,
    /// The state's value.
    pub value: PlainDense,
}

/// The numbers between the layers, kept so that a decision allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    front: Vec<f32>,
    back: Vec<f32>,
}

impl PlainNetwork {
    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        let hidden: Vec<usize> = self.hidden.iter().map(|layer| layer.bias.len()).collect();
        let first = self.hidden.first().unwrap_or(&self.advantage);
        Shape { inputs: first.weight.len() / first.bias.len().max(1), hidden, actions: self.advantage.bias.len() }
    }

    /// Writes the advantages, or logits, and gives the state's value.
    ///
    /// # Shapes
    /// `observation`: `[inputs]`; `advantages`: `[actions]`.
    pub fn forward(&self, observation: &[f32], scratch: &mut Scratch, advantages: &mut [f32]) -> f32 {
        scratch.front.clear();
        scratch.front.extend_from_slice(observation);
        for layer in &self.hidden {
            scratch.back.resize(layer.bias.len(), 0.0);
            layer.apply(&scratch.front, &mut scratch.back);
            for x in &mut scratch.back {
                *x = x.max(0.0);
            }
            std::mem::swap(&mut scratch.front, &mut scratch.back);
        }
        self.advantage.apply(&scratch.front, advantages);
        let mut value = [0.0];
        self.value.apply(&scratch.front, &mut value);
        value[0]
    }

    /// Writes the action values of a duelling network: `V + A - mean A` (Wang et al. 2016, equation 9).
    ///
    /// # Shapes
    /// `observation`: `[inputs]`; `values`: `[actions]`.
    pub fn action_values(&self, observation: &[f32], scratch: &mut Scratch, values: &mut [f32]) {
        let value = self.forward(observation, scratch, values);
        let mean = values.iter().sum::<f32>() / values.len().max(1) as f32;
        for advantage in values {
            *advantage += value - mean;
        }
    }
}

/// The legal choice of highest value, the first of equals; 0 where none is legal.
#[must_use]
pub fn best(values: &[f32], mask: &[bool]) -> usize {
    let mut found: Option<(usize, f32)> = None;
    for (choice, (&value, &legal)) in values.iter().zip(mask).enumerate() {
        if legal && found.is_none_or(|(_, highest)| value > highest) {
            found = Some((choice, value));
        }
    }
    found.map_or(0, |(choice, _)| choice)
}

/// Turns logits into probabilities over what is legal; illegal choices get 0.
pub fn softmax(logits: &mut [f32], mask: &[bool]) {
    let highest =
        logits.iter().zip(mask).filter(|(_, legal)| **legal).map(|(&logit, _)| logit).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (logit, &legal) in logits.iter_mut().zip(mask) {
        *logit = if legal { libm::expf(*logit - highest) } else { 0.0 };
        sum += *logit;
    }
    for probability in logits {
        *probability /= sum;
    }
}
