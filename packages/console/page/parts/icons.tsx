/** Paths of 24 × 24 icons, drawn with lines. */
const PATHS = {
  overview: 'M4 12h4m8 0h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  offices: 'M4 20V9l8-5 8 5v11M9 20v-6h6v6',
  calls: 'M4 8h13m0 0-4-4m4 4-4 4M20 16H7m0 0 4 4m-4-4 4-4',
  computer: 'M4 5h16v10H4zM9 19h6m-3-4v4',
  tools: 'M14 6a4 4 0 0 1 5 5l-9 9-4-4 9-9M6 16l2 2',
  desktop: 'M4 5h16v14H4zM4 9h16M7 7h.01M10 7h.01',
  context: 'M5 19V5m0 14h14M9 19v-6m4 6V8m4 11v-8',
  check: 'm5 12 5 5 9-10',
  close: 'm6 6 12 12M18 6 6 18',
  arrow: 'M4 12h15m0 0-5-5m5 5-5 5',
  agent: 'M12 4v3M7 7h10v8H7zM10 11h.01M14 11h.01M5 19h14',
  server: 'M5 5h14v5H5zM5 14h14v5H5zM8 7.5h.01M8 16.5h.01',
  plug: 'M9 4v5m6-5v5M6 9h12v3a6 6 0 0 1-12 0zM12 18v3',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon: the text beside it has the meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
