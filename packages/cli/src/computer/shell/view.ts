import { styleText } from 'node:util';
import { type Language, type Say, translator } from './language.js';
import { translateMessage } from './translations.js';

export type Paint = 'bold' | 'green' | 'red' | 'yellow' | 'dim' | 'cyan';

/** How text is shown: language, width, colours. */
export interface View {
  readonly language: Language;
  readonly say: Say;
  /** Translates a message of another package into the language of the view. */
  readonly translate: (message: string) => string;
  /** In cells; infinite when the output is not a terminal. */
  readonly width: number;
  readonly paint: (paint: Paint, text: string) => string;
}

export interface ViewOptions {
  readonly language: Language;
  readonly colour: boolean;
  readonly width?: () => number;
}

/** The view of standard output: its width, and colours at a terminal unless they are off. */
export function stdoutView(language: Language, colour = true): View {
  const { stdout, env } = process;
  return createView({
    language,
    colour: colour && stdout.isTTY && !env.NO_COLOR,
    ...(stdout.isTTY && { width: () => stdout.columns || 80 }),
  });
}

export function createView({ language, colour, width = () => Number.POSITIVE_INFINITY }: ViewOptions): View {
  return {
    language,
    say: translator(language),
    translate: (message) => translateMessage(message, language),
    get width() {
      return width();
    },
    paint: (paint, text) => (colour ? styleText(paint, text, { validateStream: false }) : text),
  };
}
