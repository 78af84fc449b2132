import type { Readable } from 'node:stream';
import sax from 'sax';
import { notAWorkbook } from './unusable.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  /** The text of an element may come in several parts. */
  text?(text: string): void;
  close?(name: string): void;
}

/** Deeper than any part of a workbook is nested. */
const DEEPEST = 50;

/**
 * Reads XML while it is unpacked, and stops after each piece of it, so that what a handler has collected can be taken. Names come without the
 * prefix of their namespace. Entities are not followed.
 * @throws {AppError} csv_unusable
 */
export async function* readXml(stream: Readable, handler: XmlHandler): AsyncGenerator<void> {
  const parser = sax.parser(true, { trim: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  const fail = (cause: unknown) => notAWorkbook('The workbook is damaged: one of its parts is not well formed.', cause);
  parser.onerror = (error) => {
    throw fail(error);
  };
  parser.ondoctype = () => {
    throw fail(new Error('a document type'));
  };
  parser.onopentag = ({ name, attributes }) => {
    depth += 1;
    if (depth > DEEPEST) throw fail(new Error('nested too deeply'));
    handler.open?.(local(name), attributes as Attributes);
  };
  parser.ontext = (text) => handler.text?.(text);
  parser.oncdata = (text) => handler.text?.(text);
  parser.onclosetag = (name) => {
    depth -= 1;
    handler.close?.(local(name));
  };
  try {
    for await (const chunk of stream) {
      parser.write(decoder.decode(chunk as Buffer, { stream: true }));
      yield;
    }
    parser.write(decoder.decode()).close();
    yield;
  } catch (error) {
    throw fail(error);
  } finally {
    stream.destroy();
  }
}

/** The same of a part that is small. */
export async function wholeXml(stream: Readable, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(stream, handler));
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);
