/** Last part of a folder's path, of any system: what `project_name` holds. */
export function projectNameOf(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== "");
  return parts.at(-1) ?? path;
}
