/** True if the person asked the browser to save data: then nothing is fetched on a guess. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
