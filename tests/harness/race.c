// Two threads add to one variable: with the argument "race" unguarded, so that the thread sanitizer must object.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int race = argc > 1 && strcmp(argv[1], "race") == 0;
    double cell[64] = {0}, sum = 0.0;
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int i = 0; i < 64; i++) cell[race ? i / 2 : i] += i;
    for (int i = 0; i < 64; i++) sum += cell[i];
    printf("%g\n", sum);
    return 0;
}
