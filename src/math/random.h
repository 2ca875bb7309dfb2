/* random.h: counter-based random numbers, functions of (seed, id, index) without state. The order of calls does not matter.

   The seed stands for the run or the use, id for an object (a body, an emitter), and index for its draw number. Each triple is one
   block of Philox4x32-10 [Salmon, Moraes, Dror, Shaw 2011]: the seed is the key, (index, id) the counter. All functions
   below with the same triple use the same block, so each draw takes its own index. */
#ifndef TRUNDLE_MATH_RANDOM_H
#define TRUNDLE_MATH_RANDOM_H

#include <stdint.h>

#include <trundle/trundle.h>

/* Computes one block of Philox4x32-10: four words from a counter of four words and a key of two. */
void tru_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* Returns 64 random bits. */
uint64_t tru_random_u64(uint64_t seed, uint64_t id, uint64_t index);

/* Returns a uniform number in [0, 1), a multiple of 2^-53. */
double tru_random_uniform(uint64_t seed, uint64_t id, uint64_t index);

/* Returns a normal number with mean 0 and variance 1 (Box and Muller); its size is at most 8.6. */
double tru_random_normal(uint64_t seed, uint64_t id, uint64_t index);

/* Returns a unit vector, uniform on the sphere. */
tru_vec3 tru_random_direction(uint64_t seed, uint64_t id, uint64_t index);

/* Returns a unit quaternion, uniform over all rotations. Its three coordinates have 42 bits each. */
tru_quat tru_random_attitude(uint64_t seed, uint64_t id, uint64_t index);

#endif
