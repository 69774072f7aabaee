import { expect, it } from 'vitest';
import { textOf } from './packed';

const utf16 = (text: string, isLittle: boolean): Blob => {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return new Blob([view]);
};

it('is the text of a file in UTF-8 or in marked UTF-16', async () => {
  const text = '[Seat0 "Zoë 🎲"]\n';
  for (const file of [
    new Blob([text]),
    new Blob(['\uFEFF', text]),
    utf16(`\uFEFF${text}`, true),
    utf16(`\uFEFF${text}`, false),
  ]) {
    expect(await textOf(file)).toBe(text);
  }
  expect(await textOf(undefined)).toBe(undefined);
  expect(await textOf(new Blob([]))).toBe('');
});
