import { styleText } from 'node:util';
import { type Language, type Say, translator } from './language.js';

export type Paint = 'bold' | 'green' | 'red' | 'yellow' | 'dim' | 'cyan';

/** How text is shown: language, width, colours. */
export interface View {
  readonly language: Language;
  readonly say: Say;
  /** In cells; infinite when the output is not a terminal. */
  readonly width: number;
  readonly paint: (paint: Paint, text: string) => string;
}

export interface ViewOptions {
  readonly language: Language;
  readonly colour: boolean;
  readonly width?: () => number;
}

export function createView({ language, colour, width = () => Number.POSITIVE_INFINITY }: ViewOptions): View {
  return {
    language,
    say: translator(language),
    get width() {
      return width();
    },
    paint: (paint, text) => (colour ? styleText(paint, text, { validateStream: false }) : text),
  };
}
