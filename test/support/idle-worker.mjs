// A worker that ends at once without a look at its files.
export const isIdle = true;
