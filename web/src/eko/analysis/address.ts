/** The address of an analysis board: a table with the number of decisions, or a compressed record. */
import { pack, unpack } from '../../shell/packed';

const PAGE = '/eko/analysis';

export const ofTable = (id: string, n: number): string => `${PAGE}?table=${id}&n=${n}`;

export const ofRecord = async (record: string): Promise<string> => `${PAGE}?record=${await pack(record)}`;

/** Throws if it is not one that `ofRecord` made. */
export const recordIn = unpack;
