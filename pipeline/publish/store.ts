/** Where a lake lies: a folder or a bucket. Paths are below the lake and parted by slashes. */
export interface LakeStore {
  /** Address for messages, without credentials. */
  readonly place: string;
  /** Paths below a folder that ends in a slash, with sizes in bytes, unfinished files included. */
  list(folder: string): Promise<Map<string, number>>;
  /** Null where there is no such file. */
  readText(path: string): Promise<string | null>;
  /** Swaps a small file whole. */
  writeText(path: string, text: string): Promise<void>;
  /** Local file to write first, for `finish` to put in its place. */
  draftPath(path: string): string;
  /** Makes a draft, whole on disk, the file of that path. */
  finish(path: string, draftPath: string): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  close(): void;
}
