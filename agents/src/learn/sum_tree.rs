//! A binary tree of sums over priorities: drawing in proportion to them in logarithmic time (Schaul et al. 2016, appendix B.2.1).

/// The tree. Leaves are numbered from 0; every inner node holds the sum of its two children, computed anew at each change, so
/// that the same leaves always give the same sums.
#[derive(Clone, Debug, PartialEq)]
pub struct SumTree {
    leaves: usize,
    /// Node 1 is the root, nodes 2k and 2k + 1 are the children of k, leaves stand from `leaves` on.
    nodes: Vec<f64>,
}

impl SumTree {
    /// A tree with room for `capacity` leaves, all 0.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let leaves = capacity.next_power_of_two().max(1);
        Self { leaves, nodes: vec![0.0; 2 * leaves] }
    }

    /// The sum of all leaves.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.nodes[1]
    }

    /// A leaf.
    #[must_use]
    pub fn get(&self, leaf: usize) -> f64 {
        self.nodes[self.leaves + leaf]
    }

    /// Sets a leaf to `priority`, which is at least 0.
    pub fn set(&mut self, leaf: usize, priority: f64) {
        let mut node = self.leaves + leaf;
        self.nodes[node] = priority;
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node] + self.nodes[2 * node + 1];
        }
    }

    /// The leaf in whose share of the total the point `mass`, in `[0, total)`, falls. Never one with priority 0, where any has
    /// more.
    #[must_use]
    pub fn find(&self, mut mass: f64) -> usize {
        let mut node = 1;
        while node < self.leaves {
            let left = self.nodes[2 * node];
            // Rounding may leave a little mass over: an empty subtree is never entered for it.
            if mass < left || self.nodes[2 * node + 1] <= 0.0 {
                node *= 2;
            } else {
                mass -= left;
                node = 2 * node + 1;
            }
        }
        node - self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::SumTree;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_point_falls_into_the_leaf_whose_share_covers_it(priorities in prop::collection::vec(0_u32..5, 1..40), point in 0.0..1.0_f64) {
            let total: u32 = priorities.iter().sum();
            prop_assume!(total > 0);
            let mut tree = SumTree::new(priorities.len());
            for (leaf, &priority) in priorities.iter().enumerate() {
                tree.set(leaf, f64::from(priority));
            }
            prop_assert_eq!(tree.total(), f64::from(total));
            let mass = point * f64::from(total);
            let mut passed = 0.0;
            let expected = priorities.iter().position(|&priority| {
                passed += f64::from(priority);
                mass < passed
            });
            prop_assert_eq!(Some(tree.find(mass)), expected);
        }
    }

    #[test]
    fn all_mass_falls_on_the_only_leaf_with_priority() {
        let mut tree = SumTree::new(5);
        tree.set(3, 1e-9);
        for mass in [0.0, 5e-10, 1e-9, 1.0] {
            assert_eq!(tree.find(mass), 3);
        }
    }
}
